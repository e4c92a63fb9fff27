// Polled parts that come back as they were are not swapped in: a selection, a scroll position, a focus stay.
"use strict";

document.addEventListener("htmx:beforeSwap", (event) => {
  const tag = event.detail.xhr.getResponseHeader("ETag");
  const target = event.detail.target;
  if (tag !== null && tag === target.dataset.tag) {
    event.detail.shouldSwap = false;
  }
  if (tag !== null) {
    target.dataset.tag = tag;
  }
});
