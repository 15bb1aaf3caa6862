/** The filters of a list. They are part of the address, so a link shows a colleague the same list. */
import { useLocation } from "../shell/Location.ts"
import { pathTo } from "../shell/Paths.ts"

export type Filters<Name extends string> = { readonly [name in Name]?: string }

export interface FilterState<Name extends string> {
  readonly filters: Filters<Name>
  /** Changes the named filters; "" removes one. Adds an entry to the browser's history. */
  readonly set: (changes: Filters<Name>) => void
  readonly clear: () => void
  readonly isAny: boolean
  /** The address with these changes, for links. */
  readonly href: (changes: Filters<Name>) => string
}

/** The filters that are in an address. */
export const filtersIn = <Name extends string>(search: string, names: ReadonlyArray<Name>): Filters<Name> => {
  const given = new URLSearchParams(search)
  const filters: { [name in Name]?: string } = {}
  for (const name of names) {
    const value = given.get(name)
    if (value !== null && value !== "") filters[name] = value
  }
  return filters
}

/** The address with these filters, independent of the order in which they were set. */
export const addressOf = <Name extends string>(
  path: string,
  names: ReadonlyArray<Name>,
  filters: Filters<Name>
): string => pathTo(path, Object.fromEntries(names.map((name) => [name, filters[name]])))

/**
 * ```ts
 * const { filters, set } = useFilters("/deliveries", ["state", "q"])
 * ```
 */
export const useFilters = <Name extends string>(
  path: string,
  names: ReadonlyArray<Name>
): FilterState<Name> => {
  const { route, url } = useLocation()
  const filters = filtersIn(new URL(url, location.origin).search, names)
  const href = (changes: Filters<Name>) => addressOf(path, names, { ...filters, ...changes })
  return {
    filters,
    isAny: Object.keys(filters).length > 0,
    href,
    set: (changes) => {
      // Read from the address: one change may follow another before the next render.
      const now = filtersIn(location.search, names)
      route(addressOf(path, names, { ...now, ...changes }))
    },
    clear: () => route(pathTo(path))
  }
}
