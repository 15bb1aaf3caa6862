/** How requests are read: every broken rule is told, and no unknown field is passed over. */
export const requestParsing = { errors: "all", onExcessProperty: "error" } as const
