/** The answer to a request for a file, whose body the caller reads. */
import { readError, type Reading } from "./Answer.ts"

/** Follows the redirect to the storage, without the key. */
export const openFile = async (response: Response, reading: Reading): Promise<Response> => {
  const opened = await behind(response, reading)
  if (opened.ok) return opened
  throw await readError(opened, reading)
}

const behind = async (response: Response, { fetch, follow, signal }: Reading): Promise<Response> => {
  // A page may not see where a redirect leads. The browser follows it, and drops the key for another origin.
  if (response.type === "opaqueredirect") return follow()
  const location = response.status === 302 ? response.headers.get("location") : null
  if (location === null) return response
  await response.body?.cancel()
  return fetch(new URL(location, response.url || undefined), { signal })
}
