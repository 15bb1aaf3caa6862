/** Who can open this page, and which runners may connect. */
import { useState } from "preact/hooks"
import { Button } from "../../parts/Button.tsx"
import { Note } from "../../parts/Note.tsx"
import { isAdmin } from "../../session/Session.ts"
import { Head } from "../../shell/Head.tsx"
import { Invite, type Invited } from "./Invite.tsx"
import { Links } from "./Links.tsx"
import { People } from "./People.tsx"
import { RunnerKeys } from "./RunnerKeys.tsx"

export const Access = () => {
  const [invited, setInvited] = useState<Invited>()
  return (
    <>
      <Head
        title="Access"
        acts={
          <Button kind="first" isChange onPress={() => setInvited("new")}>
            Invite somebody
          </Button>
        }
      >
        Who can open this page, and which runners may connect.
      </Head>
      <div class="stack">
        {isAdmin.value ? (
          <>
            <People onChangeRole={setInvited} />
            <Links />
          </>
        ) : (
          <Note title="Only admins see who has access">
            <p>Ask an admin of this account.</p>
          </Note>
        )}
        <RunnerKeys />
      </div>
      {invited === undefined ? null : <Invite who={invited} onClose={() => setInvited(undefined)} />}
    </>
  )
}
