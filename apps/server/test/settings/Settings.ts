/** What a server makes of its environment. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import { serverSettings } from "../../src/settings/ServerSettings.ts"

/** The least that it takes in production. */
export const production = {
  RUNHOOK_ADMIN_KEY: "an-admin-key-of-the-operator-himself",
  RUNHOOK_SECRET_KEY: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
}

export const settingsOf = (env: Record<string, string>) =>
  serverSettings.pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env })),
    Effect.provide(NodeServices.layer)
  )
