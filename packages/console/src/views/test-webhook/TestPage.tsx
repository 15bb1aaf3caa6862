/** The test webhook on its own page. */
import { useLoad } from "../../data/useLoad.ts"
import { EmptyState, ProblemNote, Skeleton } from "../../parts/Parts.ts"
import { account, membership } from "../../session/Session.ts"
import { Head } from "../../shell/Head.tsx"
import { pathTo } from "../../shell/Paths.ts"
import { TestWebhook } from "./TestWebhook.tsx"

export const TestPage = () => {
  const keys = useLoad(`keys of ${membership.value?.id}`, (signal) =>
    account.value.keys.list({ limit: 200 }, { signal }).page()
  )
  const usable = keys.data?.data.filter(({ revoked_at }) => revoked_at === null)
  return (
    <>
      <Head title="Test a receiver">
        See what a receiver does with a signed event, before real ones arrive.
      </Head>
      {keys.error !== undefined ? (
        <ProblemNote error={keys.error} what="key" onRetry={keys.reload} />
      ) : usable === undefined ? (
        <Skeleton lines={3} />
      ) : usable.length === 0 ? (
        <EmptyState title="No key yet" action={<a href={pathTo("/keys/new")}>Create a key</a>}>
          A test is signed with the secret of a key.
        </EmptyState>
      ) : (
        <TestWebhook keys={usable} />
      )}
    </>
  )
}
