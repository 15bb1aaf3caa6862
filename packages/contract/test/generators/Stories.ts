/**
 * The same story in each language: create an execution twice under one key, wait for its end, fetch a file, and be
 * refused. They print whether it went as it should.
 */
export const stories = {
  "story.ts": `import type { components, paths } from "./integration.ts"

type Executions = paths["/api/v1/integrations/executions"]["post"]
type Created = Executions["responses"][200 | 201]["content"]["application/json"]
type Detail = paths["/api/v1/integrations/executions/{id}"]["get"]["responses"][200]["content"]["application/json"]
type Refused = components["schemas"]["Error"]

declare const process: { env: Record<string, string> }
const { AGENT = "", BASE = "", KEY = "", TASK = "" } = process.env
const send = (path: string, init: RequestInit = {}) =>
  fetch(BASE + path, {
    ...init,
    headers: { authorization: "Bearer " + KEY, "content-type": "application/json", ...init.headers }
  })
const create = async <Answer>(params: { url: unknown }, headers = {}): Promise<Answer> => {
  const body: Executions["requestBody"]["content"]["application/json"] = { agent_id: AGENT, task_id: TASK, params }
  const answer = await send("/api/v1/integrations/executions", { method: "POST", headers, body: JSON.stringify(body) })
  return answer.json()
}
const once = { "idempotency-key": "once-by-types" }
const page = { url: BASE + "/demo/page" }
const created = await create<Created>(page, once)
const again = await create<Created>(page, once)
if (!("execution_id" in created)) throw new Error("nothing was created")
const seen: Detail = await (await send("/api/v1/integrations/executions/" + created.execution_id + "?wait=30")).json()
const [file] = seen.downloads
if (!file) throw new Error("there is no file")
const bytes = await (await send(new URL(file.url).pathname)).arrayBuffer()
const refused = await create<Refused>({ url: 5 })
console.log(
  seen.status,
  "idempotent_replay" in again && again.execution_id === seen.execution_id,
  bytes.byteLength === file.size_bytes,
  refused.error.code
)
`,

  "hey-story.ts": `import { client } from "./integration/client.gen.ts"
import { executionsCreate, executionsFile, executionsGet } from "./integration/sdk.gen.ts"

declare const process: { env: Record<string, string> }
const { AGENT = "", BASE = "", KEY = "", TASK = "" } = process.env
client.setConfig({ baseUrl: BASE, auth: KEY })

const create = (params: { url: unknown }, key?: string) =>
  executionsCreate({
    headers: key === undefined ? {} : { "Idempotency-Key": key },
    body: { agent_id: AGENT, task_id: TASK, params }
  })
const page = { url: BASE + "/demo/page" }
const { data: created } = await create(page, "once-by-hey")
const { data: again } = await create(page, "once-by-hey")
if (!created || !("execution_id" in created)) throw new Error("nothing was created")
const { data: seen } = await executionsGet({ path: { id: created.execution_id }, query: { wait: 30 }, throwOnError: true })
const [file] = seen.downloads
if (!file) throw new Error("there is no file")
const { data: bytes } = await executionsFile({ path: { id: seen.execution_id, fileId: file.id }, parseAs: "blob" })
const { error } = await create({ url: 5 })
console.log(
  seen.status,
  again !== undefined && "idempotent_replay" in again && again.execution_id === seen.execution_id,
  bytes instanceof Blob && bytes.size === file.size_bytes,
  error?.error.code
)
`,

  "story/main.go": `package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"clients/integration"

	"github.com/google/uuid"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx, base := context.Background(), os.Getenv("BASE")
	withKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("KEY"))
		return nil
	}
	client := must(integration.NewClientWithResponses(base, integration.WithRequestEditorFn(withKey)))
	agent, task, once, wait := uuid.MustParse(os.Getenv("AGENT")), uuid.MustParse(os.Getenv("TASK")), "once-in-go", 30
	create := func(params map[string]interface{}, once *string) *integration.ExecutionsCreateResponse {
		body := integration.CreateExecution{AgentId: agent, TaskId: &task, Params: &params}
		return must(client.ExecutionsCreateWithResponse(ctx, &integration.ExecutionsCreateParams{IdempotencyKey: once}, body))
	}
	page := map[string]interface{}{"url": base + "/demo/page"}
	created := create(page, &once).JSON201
	again := must(create(page, &once).JSON200.AsExecutionReplayed())
	seen := must(client.ExecutionsGetWithResponse(ctx, created.ExecutionId, &integration.ExecutionsGetParams{Wait: &wait})).JSON200
	file := seen.Downloads[0]
	bytes := must(client.ExecutionsFileWithResponse(ctx, seen.ExecutionId, file.Id)).Body
	refused := create(map[string]interface{}{"url": 5}, nil).JSON422
	fmt.Println(seen.Status, again.ExecutionId == created.ExecutionId, len(bytes) == int(file.SizeBytes), refused.Error.Code)
}
`,

  "story.py": `import os, uuid
from python_integration import AuthenticatedClient
from python_integration.api.executions import executions_create, executions_file, executions_get
from python_integration.models import CreateExecution, CreateExecutionParams, Error, ExecutionCreated, ExecutionDetail, ExecutionReplayed

base, key = os.environ["BASE"], os.environ["KEY"]
agent, task = uuid.UUID(os.environ["AGENT"]), uuid.UUID(os.environ["TASK"])
client = AuthenticatedClient(base_url=base, token=key, follow_redirects=True)
params = CreateExecutionParams.from_dict({"url": f"{base}/demo/page"})
body = CreateExecution(agent_id=agent, task_id=task, params=params)
once = "once-in-python"
created = executions_create.sync(client=client, idempotency_key=once, body=body)
again = executions_create.sync(client=client, idempotency_key=once, body=body)
assert isinstance(created, ExecutionCreated), created
assert isinstance(again, ExecutionReplayed), again
seen = executions_get.sync(client=client, id=created.execution_id, wait=30)
assert isinstance(seen, ExecutionDetail), seen
file = seen.downloads[0]
answer = executions_file.sync_detailed(client=client, id=seen.execution_id, file_id=file.id)
wrong = executions_create.sync(client=client, body=CreateExecution(agent_id=agent, task_id=task, params=CreateExecutionParams.from_dict({"url": 5})))
print(seen.status, again.execution_id == created.execution_id, len(answer.content) == file.size_bytes, wrong.error.code if isinstance(wrong, Error) else wrong)
`
}
