/** The test webhook on its own page. */
import type { Key } from "@runhook/sdk/admin"
import { useLoad } from "../../data/Data.ts"
import { EmptyState, Loaded } from "../../parts/Parts.ts"
import { account, membership } from "../../session/Session.ts"
import { Head, pathTo } from "../../shell/Shell.ts"
import { TestWebhook } from "./TestWebhook.tsx"

const isUsable = ({ revoked_at }: Key): boolean => revoked_at === null

export const TestPage = () => {
  const keys = useLoad(`keys of ${membership.value?.id}`, (signal) =>
    account.value.keys.list({ limit: 200 }, { signal }).page()
  )
  return (
    <>
      <Head title="Test a receiver">
        See what a receiver does with a signed event, before real ones arrive.
      </Head>
      <Loaded of={keys} what="key" lines={3}>
        {({ data }) =>
          data.some(isUsable) ? (
            <TestWebhook keys={data.filter(isUsable)} />
          ) : (
            <EmptyState title="No key yet" action={<a href={pathTo("/keys/new")}>Create a key</a>}>
              A test is signed with the secret of a key.
            </EmptyState>
          )
        }
      </Loaded>
    </>
  )
}
