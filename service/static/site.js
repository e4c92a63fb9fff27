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

// Where a deal can be stepped through, the arrow keys do it.
document.addEventListener("keydown", (event) => {
  const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  if (rel === undefined || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) {
    return;
  }
  if (event.target instanceof Element && event.target.closest("input, select, textarea, pre, .overflow-auto")) {
    return;
  }
  document.querySelector(`#scene a[rel=${rel}]`)?.click();
});
