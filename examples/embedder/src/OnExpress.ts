/** A host on Express. */
import type { NodeListener } from "@runhook/http/NodeListener"
import express from "express"

export const onExpress = ({ listener }: NodeListener) => {
  const app = express()
  app.all("/api/v1/{*path}", listener)
  app.use(express.json())
  // Your own routes come here.
  return app
}
