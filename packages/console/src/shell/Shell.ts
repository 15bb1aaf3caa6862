/** What views have of the frame around them: head, addresses and keys. */
export * from "./Detail.tsx"
export * from "./Head.tsx"
export * from "./Location.ts"
export * from "./Paths.ts"
export * from "./Shortcuts.ts"
