/** The icons of the page, on a grid of 16 pixels. Each has a word beside it, or a button with a name. */
const paths = {
  alert: "M8 1 .8 14h14.4zM7.2 6h1.6v4H7.2zm0 5h1.6v1.5H7.2z",
  ask: "M2 2h12v9H8l-4 3.5V11H2zm5.3 6.2v1.4h1.5V8.2zM5.6 5.2H7c0-.5.4-.9 1-.9s1 .3 1 .8c0 .9-1.7.9-1.7 2.5h1.4c0-1 1.8-1.1 1.8-2.6C10.5 3.8 9.5 3 8 3S5.6 3.9 5.6 5.2z",
  check: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm3.6 5.2-4.2 5-2.9-2.7 1-1.1 1.8 1.7 3.1-3.8z",
  clock:
    "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm0 1.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11ZM7.3 4v4.4l3 1.8.8-1.2-2.3-1.4V4z",
  cross:
    "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm3.1 9.1-1 1L8 9l-2.1 2.1-1-1L7 8 4.9 5.9l1-1L8 7l2.1-2.1 1 1L9 8z",
  dead: "M5.1 1h5.8L15 5.1v5.8L10.9 15H5.1L1 10.9V5.1zm6 9.1L9 8l2.1-2.1-1-1L8 7 5.9 4.9l-1 1L7 8l-2.1 2.1 1 1L8 9l2.1 2.1z",
  lock: "M4 7V5a4 4 0 0 1 8 0v2h1v8H3V7zm1.6 0h4.8V5a2.4 2.4 0 0 0-4.8 0z",
  menu: "M2 3.5h12V5H2zm0 4h12V9H2zm0 4h12V13H2z",
  pause: "M4 3h3v10H4zm5 0h3v10H9z",
  run: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1Zm0 1.5a5.5 5.5 0 0 1 0 11z",
  stop: "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1ZM5.5 5.5h5v5h-5z",
  again: "M13 8a5 5 0 1 1-1.5-3.6L13.5 6M13.5 2v4h-4",
  copy: "M5.5 5.5h8v8h-8zM10.5 5V2.5h-8v8H5",
  find: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9Zm3.5 8 4 4"
}

export type IconName = keyof typeof paths

/** Those whose path is a line. */
const drawn: ReadonlySet<IconName> = new Set(["again", "copy", "find"])

export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class={drawn.has(name) ? "icon drawn" : "icon"} viewBox="0 0 16 16" aria-hidden="true">
    <path fill-rule="evenodd" d={paths[name]} />
  </svg>
)

/** The logo: a hook whose end turns into an arrow back to the caller. */
export const Mark = () => (
  <svg
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="2.6"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    <path d="M6 3v11.5a6 6 0 0 0 12 0V7m-4.5 4L18 6.5l4.5 4.5" />
  </svg>
)
