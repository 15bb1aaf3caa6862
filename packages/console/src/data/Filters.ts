/** What a list is narrowed down by. It stands in the address, so that a link shows a colleague the same. */
import { useLocation } from "preact-iso/router"
import { useCallback } from "preact/hooks"
import { pathTo } from "../shell/Paths.ts"

export type Filters<Name extends string> = { readonly [name in Name]?: string }

export interface Filtering<Name extends string> {
  readonly filters: Filters<Name>
  /** Changes what is named; "" takes it away. One step of the history for each, unless it is to be replaced. */
  readonly set: (changes: Filters<Name>, options?: { readonly isReplacing?: boolean }) => void
  readonly clear: () => void
  readonly isAny: boolean
  /** The address with these changes, for links. */
  readonly href: (changes: Filters<Name>) => string
}

/**
 * ```ts
 * const { filters, set } = useFilters("/deliveries", ["state", "q"])
 * ```
 */
export const useFilters = <Name extends string>(
  path: string,
  names: ReadonlyArray<Name>
): Filtering<Name> => {
  const { query, route } = useLocation()
  const filters: { [name in Name]?: string } = {}
  for (const name of names) {
    const value = query[name]
    if (value !== undefined && value !== "") filters[name] = value
  }
  const href = (changes: Filters<Name>) => pathTo(path, { ...filters, ...changes })
  return {
    filters,
    isAny: Object.keys(filters).length > 0,
    href,
    set: (changes, { isReplacing = false } = {}) => route(href(changes), isReplacing),
    clear: useCallback(() => route(pathTo(path)), [path, route])
  }
}
