/** The signing secrets of a key and their periods; never the secrets themselves. */
import type { AuditEntry, KeyFacts } from "@runhook/sdk/admin"
import type { ComponentChild } from "preact"
import { Card, Moment, prose, Status, UntrustedText } from "../../parts/Parts.ts"
import { detailOf } from "../audit/AuditWords.ts"

export interface SigningSecretsProps {
  readonly of: KeyFacts
  /** When and by whom it was last replaced. */
  readonly replaced: AuditEntry | undefined
  /** The button that rotates it. */
  readonly rotate: ComponentChild
}

export const SigningSecrets = ({ of: key, replaced, rotate }: SigningSecretsProps) => (
  <Card title="Signing secret">
    <ul class="secrets">
      {key.signing_secrets.map(({ active_at, expires_at, state }) => (
        <li key={active_at}>
          <Status of={state} />{" "}
          <span>
            {state === "staged" ? "becomes active at " : "since "}
            <Moment at={active_at} />
            {expires_at === null ? null : prose`, ends at ${<Moment at={expires_at} />}`}
          </span>
        </li>
      ))}
    </ul>
    {replaced === undefined ? null : (
      <p class="quiet">
        Replaced {detailOf(replaced)} at <Moment at={replaced.at} /> by{" "}
        <UntrustedText text={replaced.actor.name} isBrief />.
      </p>
    )}
    {key.signing_secrets.some(({ state }) => state === "staged") ? (
      <p class="quiet">Until then callbacks are signed with both secrets, so receivers can use either.</p>
    ) : null}
    {key.revoked_at === null ? <p class="acts">{rotate}</p> : null}
  </Card>
)
