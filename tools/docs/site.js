// Adds what the theme's markup lacks for keyboards and screen readers: tables and code that scroll can have the focus, and
// the buttons beside code are no landmarks.
function mend() {
  for (const nav of document.querySelectorAll("nav.md-code__nav:not([role])")) nav.role = "presentation"
  for (const wide of document.querySelectorAll(".md-typeset__scrollwrap:not([tabindex])")) wide.tabIndex = 0
}
new MutationObserver(mend).observe(document, { childList: true, subtree: true })
