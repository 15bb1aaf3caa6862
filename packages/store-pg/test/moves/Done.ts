/** How the work of these tests ends. */
export const done = { outcome: { _tag: "Completed", result: { sum: 3 } }, fingerprint: "done" } as const
