/** The service's URL by default: the address that it listens on. */
import { BaseUrl } from "@runhook/http/BaseUrl"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import type { ServerSettings } from "../settings/ServerSettings.ts"

/** Addresses that stand for all of a machine lead nowhere; the machine's own name for itself does. */
const reachable = (url: string): string => url.replace(/\/\/(?:0\.0\.0\.0|\[::\])/, "//127.0.0.1")

export const layer = ({ baseUrl }: ServerSettings): Layer.Layer<BaseUrl, never, HttpServer.HttpServer> =>
  Layer.effect(
    BaseUrl,
    Effect.map(
      HttpServer.HttpServer,
      ({ address }) => baseUrl ?? reachable(HttpServer.formatAddress(address))
    )
  )
