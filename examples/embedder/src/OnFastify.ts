/** A host on Fastify. */
import type { NodeListener } from "@runhook/http/NodeListener"
import Fastify from "fastify"

export const onFastify = ({ listener }: NodeListener) => {
  const app = Fastify()
  app.register(async (api) => {
    api.removeAllContentTypeParsers()
    api.addContentTypeParser("*", (_request, _body, done) => done(null))
    api.all("/api/v1/*", (request, reply) => {
      reply.hijack()
      listener(request.raw, reply.raw)
    })
  })
  // Your own routes come here.
  return app
}
