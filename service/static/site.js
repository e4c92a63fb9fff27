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
  if (event.target instanceof Element && needsArrows(event.target)) {
    return;
  }
  // What the key changes is to be seen.
  document.querySelector("#scene")?.scrollIntoView({ block: "nearest" });
  document.querySelector(`#scene a[rel=${rel}]`)?.click();
});

function needsArrows(element) {
  const scroller = element.closest("pre, .overflow-auto");
  return element.closest("input, select, textarea") !== null || (scroller !== null && scroller.scrollWidth > scroller.clientWidth);
}

// The address follows the table: every moment can be bookmarked and sent to others. One step back leaves the deal.
document.addEventListener("htmx:afterSwap", (event) => {
  const link = event.detail.requestConfig.elt;
  if (link instanceof HTMLAnchorElement && link.matches("[hx-target='#scene']")) {
    history.replaceState(history.state, "", link.href);
  }
});
