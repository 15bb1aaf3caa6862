/** The token of a one-time link. It is removed from address bar and history as soon as it is read. */

const shape = /^#[A-Za-z0-9_-]{43}$/

/** Takes the token out of the address; undefined if there is none. */
export const takeToken = (): string | undefined => {
  const { hash, pathname, search } = location
  if (!shape.test(hash)) return undefined
  history.replaceState(history.state, "", pathname + search)
  return hash.slice(1)
}
