/** Calls of executions. */
import * as Stream from "effect/Stream"
import { root, type Ways } from "./Ways.ts"
import type { Everything } from "./Everything.ts"

/** By endpoint of the contract. */
export const executionWays = ({
  asking,
  done,
  file,
  held,
  job,
  queued,
  request,
  runhook,
  waiting
}: Everything): Readonly<Record<string, () => Ways>> => ({
  "POST /executions": () => ({
    client: () => runhook.executions.create(request, { idempotencyKey: "the-same" }),
    effect: ({ executions }) => executions.create(request, { idempotencyKey: "the-same" }),
    python: "executions.create(**vars(request), idempotency_key='the-same')",
    go: 'client.Executions.Create(ctx, as[CreateExecution](given["request"]), IdempotencyKey("the-same"))',
    raw: { path: `${root}/executions`, body: request, headers: { "idempotency-key": "the-same" } }
  }),
  "POST /executions/cancel": () => {
    const filter = { reference: "nothing" }
    const options = { idempotencyKey: "the-same", reason: "Enough" }
    return {
      client: () => runhook.executions.cancelAll(filter, options),
      effect: ({ executions }) => executions.cancelAll(filter, options),
      python: "executions.cancel_all(reference='nothing', reason='Enough', idempotency_key='the-same')",
      go: 'client.Executions.CancelAll(ctx, CancelExecutions{Filter: CancelFilter{Reference: "nothing"}, Reason: "Enough"}, IdempotencyKey("the-same"))',
      raw: {
        path: `${root}/executions/cancel`,
        body: { filter, reason: "Enough" },
        headers: { "idempotency-key": "the-same" }
      }
    }
  },
  "GET /executions/jobs/:id": () => ({
    client: () => runhook.executions.jobs.get(job),
    effect: ({ executions }) => executions.jobs.waitFor(job),
    python: "executions.jobs.wait_for(job)",
    go: 'client.Executions.Jobs.WaitFor(ctx, at(given, "job"))',
    raw: { path: `${root}/executions/jobs/${job}` }
  }),
  "POST /executions/jobs/:id/cancel": () => ({
    client: () => runhook.executions.jobs.cancel(job),
    effect: ({ executions }) => executions.jobs.cancel(job),
    python: "executions.jobs.cancel(job)",
    go: 'client.Executions.Jobs.Cancel(ctx, at(given, "job"))',
    raw: { method: "POST", path: `${root}/executions/jobs/${job}/cancel` }
  }),
  "POST /executions/batch": () => {
    const items = [{ ...request, idempotency_key: "of-many" }]
    return {
      client: () => runhook.executions.createBatch(items),
      effect: ({ executions }) => executions.createBatch(items),
      python: "executions.create_batch([{**vars(request), 'idempotency_key': 'of-many'}])",
      go: 'client.Executions.CreateBatch(ctx, []BatchItem{as[BatchItem](given["request"])})',
      raw: { path: `${root}/executions/batch`, body: { items } },
      // The first request creates it.
      own: ["data"]
    }
  },
  "GET /executions": () => ({
    client: () => runhook.executions.list({ reference: "order-1", status: "queued" }).page(),
    effect: ({ executions }) => executions.page({ reference: "order-1", status: "queued" }),
    python: "executions.list(reference='order-1', status='queued').page()",
    go: 'client.Executions.ListPage(ctx, ExecutionFilter{Reference: "order-1", Status: []ExecutionStatus{"queued"}})',
    raw: { path: `${root}/executions?reference=order-1&status=queued` }
  }),
  "GET /executions/:id": () => ({
    client: () => runhook.executions.get(done, { wait: 1 }),
    effect: ({ executions }) => executions.get(done, { wait: 1 }),
    python: "executions.get(done, wait=1)",
    go: 'client.Executions.Get(ctx, at(given, "done"))',
    raw: { path: `${root}/executions/${done}?wait=1` }
  }),
  "POST /executions/:id/cancel": () => ({
    client: () => runhook.executions.cancel(queued, { reason: "enough" }),
    effect: ({ executions }) => executions.cancel(queued, { reason: "enough" }),
    python: "executions.cancel(queued, reason='enough')",
    go: 'client.Executions.Cancel(ctx, at(given, "queued"), CancelExecution{Reason: "enough"})',
    raw: { path: `${root}/executions/${queued}/cancel`, body: { reason: "enough" } }
  }),
  "POST /executions/:id/release": () => ({
    client: () => runhook.executions.release(held),
    effect: ({ executions }) => executions.release(held),
    python: "executions.release(held)",
    go: 'client.Executions.Release(ctx, at(given, "held"))',
    raw: { method: "POST", path: `${root}/executions/${held}/release` }
  }),
  "POST /executions/:id/rerun": () => ({
    client: () => runhook.executions.rerun(done, { params: { copies: 3 } }, { idempotencyKey: "again" }),
    effect: ({ executions }) =>
      executions.rerun(done, { params: { copies: 3 } }, { idempotencyKey: "again" }),
    python: "executions.rerun(done, params={'copies': 3}, idempotency_key='again')",
    go: 'client.Executions.Rerun(ctx, at(given, "done"), RerunExecution{Params: map[string]any{"copies": 3}}, IdempotencyKey("again"))',
    raw: {
      path: `${root}/executions/${done}/rerun`,
      body: { params: { copies: 3 } },
      headers: { "idempotency-key": "again" }
    }
  }),
  "PATCH /executions/:id": () => ({
    client: () => runhook.executions.reschedule(waiting, { priority: 7 }),
    effect: ({ executions }) => executions.reschedule(waiting, { priority: 7 }),
    python: "executions.reschedule(waiting, priority=7)",
    go: 'client.Executions.Reschedule(ctx, at(given, "waiting"), RescheduleExecution{Priority: Ptr(7)})',
    raw: { method: "PATCH", path: `${root}/executions/${waiting}`, body: { priority: 7 } }
  }),
  "GET /executions/:id/events": () => ({
    client: () => runhook.executions.events(done, { after: 1, limit: 2, wait: 1 }),
    effect: ({ executions }) => executions.events(done, { after: 1, limit: 2, wait: 1 }),
    python: "executions.events(done, after=1, limit=2, wait=1)",
    go: 'client.Executions.Events(ctx, at(given, "done"), HistoryQuery{After: 1, Limit: 2, Wait: 1})',
    raw: { path: `${root}/executions/${done}/events?after=1&limit=2&wait=1` }
  }),
  "GET /executions/:id/logs": () => ({
    client: () => runhook.executions.logs(done, { after: 1, wait: 1 }),
    effect: ({ executions }) => executions.logs(done, { after: 1, wait: 1 }),
    python: "executions.logs(done, after=1, wait=1)",
    go: 'client.Executions.Logs(ctx, at(given, "done"), HistoryQuery{After: 1, Wait: 1})',
    raw: { path: `${root}/executions/${done}/logs?after=1&wait=1` }
  }),
  "GET /executions/:id/explain": () => ({
    client: () => runhook.executions.explain(done),
    effect: ({ executions }) => executions.explain(done),
    python: "executions.explain(done)",
    go: 'client.Executions.Explain(ctx, at(given, "done"))',
    raw: { path: `${root}/executions/${done}/explain` }
  }),
  "GET /executions/:id/evidence": () => ({
    client: () => runhook.executions.evidence(done),
    effect: ({ executions }) => executions.evidence(done),
    python: "executions.evidence(done)",
    go: 'client.Executions.Evidence(ctx, at(given, "done"))',
    raw: { path: `${root}/executions/${done}/evidence` }
  }),
  "GET /executions/:id/artifacts": () => ({
    client: () => runhook.executions.artifacts(done),
    effect: ({ executions }) => executions.artifacts(done),
    python: "executions.artifacts(done)",
    go: 'client.Executions.Artifacts(ctx, at(given, "done"))',
    raw: { path: `${root}/executions/${done}/artifacts` }
  }),
  "GET /executions/:id/files/:fileId": () => ({
    client: () => runhook.files.download(file).then((answer) => answer.text()),
    effect: ({ files }) => files.download(file).pipe(Stream.decodeText, Stream.mkString),
    python: "files.download(file)",
    go: 'contents(client.Files.Open(ctx, at(given, "file.url")))',
    raw: { path: `${root}/executions/${done}/files/${file.id}` }
  }),
  "GET /executions/:id/inputs": () => ({
    client: () => runhook.executions.inputs(asking.execution_id),
    effect: ({ executions }) => executions.inputs(asking.execution_id),
    python: "executions.inputs(asking.execution_id)",
    go: 'client.Executions.Inputs(ctx, at(given, "asking.execution_id"))',
    raw: { path: `${root}/executions/${asking.execution_id}/inputs` }
  }),
  "POST /executions/:id/inputs/:inputId": () => ({
    client: () => runhook.executions.answer(asking, { value: "1234" }),
    effect: ({ executions }) => executions.answer(asking, { value: "1234" }),
    python: "executions.answer(asking.execution_id, asking.input_id, '1234')",
    go: 'client.Executions.Answer(ctx, at(given, "asking.execution_id"), at(given, "asking.input_id"), AnswerInput{Value: "1234"})',
    raw: {
      path: `${root}/executions/${asking.execution_id}/inputs/${asking.input_id}`,
      body: { value: "1234" }
    }
  })
})
