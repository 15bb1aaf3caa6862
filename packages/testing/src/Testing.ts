/** `@runhook/testing`: the service itself in memory, for the tests of programs that use it. */
import { Runhook } from "@runhook/sdk"
import type { FakeOptions, FakeRunhook } from "./FakeRunhook.ts"
import { adminKey } from "./Service.ts"
import { startWorld } from "./World.ts"

export type * from "./FakeRunhook.ts"
export type * from "./FakeTask.ts"
export type { Refusal } from "./Refusals.ts"

/** The service, with these tasks and agents in it. */
export const createFakeRunhook = <const Slug extends string, const Name extends string>(
  options: FakeOptions<Slug, Name>
): FakeRunhook<Slug, Name> => {
  const { baseUrl = "http://runhook.test" } = options
  const { tenant, ...world } = startWorld({ ...options, baseUrl: baseUrl.replace(/\/+$/, "") })
  const { accountId, apiKey, runnerKey, signingSecret } = tenant
  return {
    ...world,
    baseUrl,
    accountId,
    adminKey,
    apiKey,
    runnerKey,
    signingSecret,
    client: new Runhook({ baseUrl, apiKey, fetch: world.fetch }),
    taskIds: idsOf<Slug>(tenant.taskIds),
    agentIds: idsOf<Name>(tenant.agentIds),
    [Symbol.asyncDispose]: world.close
  }
}

/** Ids by known names. */
const idsOf = <Name extends string>(given: Readonly<Record<string, string>>) => {
  const ids: { readonly [N in Name]: string } = JSON.parse(JSON.stringify(given))
  return ids
}
