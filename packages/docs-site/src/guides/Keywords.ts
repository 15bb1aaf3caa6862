/** Words by which readers look for a guide, beside those that stand in it. */
const keywords: { readonly [file: string]: string } = {
  "docs/choosing.md":
    "faq alternative alternatives compare comparison competitor hatchet queue svix temporal trigger trigger.dev why workflow workflows",
  "docs/errors.md": "code codes status 400 401 403 404 409 422 429 500 503",
  "docs/agents/README.md": "bot browser playwright puppeteer selenium worker",
  "docs/agents/schemas.md": "ajv jsonschema model models pydantic schema schemas validation zod",
  "docs/embedding/README.md": "express fastify hono koa library nest nestjs next",
  "docs/integrating/generate.md":
    "c# codegen csharp dotnet java kotlin .net openapi php postman ruby rust swagger terraform",
  "docs/integrating/mcp.md": "ai anthropic chatgpt claude cursor gpt llm model openai tools",
  "docs/integrating/README.md": "backoff idempotency poll polling retry retries",
  "docs/integrating/schedules.md": "cron crontab recurring",
  "docs/lifecycle.md": "retry retries state states status timeout",
  "docs/operating/backup.md": "backup backups disaster pg_dump recovery",
  "docs/operating/install.md": "caddy docker helm https k8s kubernetes nginx podman proxy ssl terraform tls",
  "docs/operating/one-server.md": "caddy quickstart systemd tls tutorial ubuntu debian vps vm",
  "docs/operating/page.md": "console dashboard login sso ui oidc",
  "docs/operating/watch.md": "grafana monitoring otel opentelemetry prometheus observability datadog",
  "docs/webhooks.md": "callback callbacks receiver retry retries signature slack verify",
  "packages/sdk/README.md": "bun deno javascript js node npm typescript client",
  "packages/sdk-go/README.md": "client go golang iter net/http sdk",
  "packages/sdk-python/README.md": "aiohttp asyncio celery client django fastapi flask pip pypi python sdk"
}

export const keywordsOf = (file: string): ReadonlyArray<string> => keywords[file]?.split(" ") ?? []
