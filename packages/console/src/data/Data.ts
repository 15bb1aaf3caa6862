/** What views load, change and follow their data with. */
export { useLive } from "../live/Live.ts"
export * from "./Kept.ts"
export * from "./useAction.ts"
export * from "./useFilters.ts"
export * from "./useForm.ts"
export * from "./useList.ts"
export * from "./useLoad.ts"
export { type Names, useNames } from "./useNames.ts"
