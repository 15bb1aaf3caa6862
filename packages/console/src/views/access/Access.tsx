/** Who can open this page, and which runners may connect. */
import { Note, Opener } from "../../parts/Parts.ts"
import { isAdmin } from "../../session/Session.ts"
import { Head } from "../../shell/Head.tsx"
import { Invite } from "./Invite.tsx"
import { Links } from "./Links.tsx"
import { People } from "./People.tsx"
import { RunnerKeys } from "./RunnerKeys.tsx"

export const Access = () => (
  <>
    <Head
      title="Access"
      acts={
        <Opener kind="first" word="Invite somebody">
          {(close) => <Invite onClose={close} />}
        </Opener>
      }
    >
      Who can open this page, and which runners may connect.
    </Head>
    <div class="stack">
      {isAdmin.value ? (
        <>
          <People />
          <Links />
        </>
      ) : (
        <Note title="Only admins see who has access">
          <p>Ask an admin of this account.</p>
        </Note>
      )}
      <RunnerKeys />
    </div>
  </>
)
