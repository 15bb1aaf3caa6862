import { serve } from "@hono/node-server"
import { Runhook } from "@runhook/sdk"
import { config } from "./config.ts"
import { makeShop } from "./Shop.ts"

const { apiKey, baseUrl, port, ...options } = config(process.env)
const shop = makeShop({ ...options, runhook: new Runhook({ baseUrl, apiKey }) })
serve({ fetch: shop.fetch, port }, () =>
  console.log(`The shop is open: POST http://127.0.0.1:${port}/orders`)
)
