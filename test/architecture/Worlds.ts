/** Tests share the world of `packages/test-support`, and the words of its fixtures. */

/** Files of tests that are a world of their own, and why the shared one is not enough. */
export const ownWorlds: Readonly<Record<string, string>> = {
  "apps/server/test/console/CompanyService.ts": "signs browsers in at a company",
  "apps/server/test/console/SharedService.ts": "has the demo, for all tests of the page in a process",
  "apps/server/test/console/story/Receivers.ts": "belongs to the story of the page",
  "apps/server/test/console/story/Runner.ts": "belongs to the story of the page",
  "apps/server/test/durability/load/PythonRunners.ts": "writes down what it sees, for the history",
  "apps/server/test/durability/load/Receiver.ts": "writes down what it sees, on a disk",
  "apps/server/test/durability/load/Runner.ts": "writes down what it sees, for the history",
  "apps/server/test/durability/load/World.ts": "is what those of a load share",
  "apps/server/test/durability/systems/EmbeddedService.ts": "is killed together with its database",
  "apps/server/test/night/Service.ts": "tells one story",
  "examples/agent/test/BrowserTenant.ts": "queues visits of the example",
  "examples/embedder/test/Receiver.ts": "verifies callbacks as the example says",
  "packages/embedded-postgres/test/Service.ts": "is any program with a database",
  "packages/http/test/Service.ts": "takes no answer but what the contract says",
  "packages/http/test/Tenant.ts": "is made by clients that take no answer but what the contract says",
  "packages/sdk/test/runner/SdkTenant.ts": "has the client and the runners of the SDK",
  "packages/webhook-dispatcher/test/InletWorld.ts": "hands events over to a dispatcher",
  "packages/webhook-dispatcher/test/World.ts": "is a dispatcher at a store that can be away",
  "packages/webhook-dispatcher/test/receivers/Scene.ts": "plays a dispatcher without time and network"
}

const world =
  /(?:^|\/)test\/(?:.*\/)?\w*(?:Harness|Receiver|Runner|Scene|Service|Stage|Tenant|World)s?\.tsx?$/

/** Files that are called a world and are not listed, and listed files that are not there. */
export const worldProblems = (files: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...files.filter((file) => world.test(file) && ownWorlds[file] === undefined),
  ...Object.keys(ownWorlds).filter((file) => !files.includes(file))
]

/** Code of tests: that in their folders, and that which they share. */
export const isOfTests = (file: string): boolean =>
  /(?:^|\/)test\/|^packages\/(?:store-testing|test-support|testing)\/src\//.test(file)

/** Fixtures that are named by an article, as `aKey` is in place of `makeKey`. */
export const articleFixtures = (source: string): ReadonlyArray<string> =>
  [...source.matchAll(/\b(?:const|function\*?) (an?[A-Z]\w*)/g)].map(([, name = ""]) => name)
