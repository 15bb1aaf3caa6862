// The search of the pages where no service answers it: the same rules, over an index that lies beside them.
import { searchPage } from "../../packages/docs-site/src/pages/SearchPage.ts"
import { queryLengthMax, search, suggestions } from "../../packages/docs-site/src/Search.ts"

const begin = new URL("..", document.currentScript.src)

const load = async () => {
  const answer = await fetch(new URL("assets/search.json", begin))
  if (!answer.ok) throw new Error(`The index of the search was answered with ${answer.status}`)
  return answer.json()
}

let loading
/** Loaded by the first search, and once more by the next if that fails. */
const sections = () => {
  loading ??= load().catch((cause) => {
    loading = undefined
    throw cause
  })
  return loading
}

globalThis.searchPages = async (query) =>
  suggestions(await sections(), query, (path) => new URL(path, begin).href)

const resultsOf = async (query) => (query === "" ? [] : search(await sections(), query))

const showResults = async (place) => {
  const asked = new URLSearchParams(location.search).get("q") ?? ""
  const query = asked.trim().slice(0, queryLengthMax)
  document.querySelector("#q").value = query
  try {
    // Its values are escaped, as they are in the service.
    place.innerHTML = searchPage(query, await resultsOf(query)).body.text
  } catch {
    place.querySelector("p").textContent = "The search could not be loaded. Try it again."
  }
}

const place = document.querySelector("#results")
if (place !== null) showResults(place)
