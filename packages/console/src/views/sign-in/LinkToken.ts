/** The token of a one-time link. It is in no address bar, no history and no storage for longer than it takes to read it. */

const shape = /^#[A-Za-z0-9_-]{43}$/

/** Takes the token out of the address; undefined where there is none. */
export const takeToken = (): string | undefined => {
  const { hash, pathname, search } = location
  if (!shape.test(hash)) return undefined
  history.replaceState(history.state, "", pathname + search)
  return hash.slice(1)
}
