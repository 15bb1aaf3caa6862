/** Dead letters by receiver and cause: one fix usually clears a whole group. */
import type { DeadLetterGroup } from "@runhook/sdk/admin"
import { urlWords } from "../../format/Ids.ts"
import { Button } from "../../parts/Button.tsx"
import { UntrustedText } from "../../parts/UntrustedText.tsx"
import { causeWords } from "../deliveries/CauseWords.ts"
import { atLeastWords, filterOf, groupHref, groupKey, typeWords } from "./Groups.ts"
import { Span } from "./Span.tsx"

export interface GroupTableProps {
  readonly groups: ReadonlyArray<DeadLetterGroup>
  readonly onReplay: (group: DeadLetterGroup) => void
}

export const GroupTable = ({ groups, onReplay }: GroupTableProps) => (
  <div class="scroll" role="region" aria-label="Dead letters by receiver and cause" tabIndex={0}>
    <table class="list groups">
      <caption class="hide">Dead letters by receiver and cause</caption>
      <thead>
        <tr>
          <th scope="col">Receiver and cause</th>
          <th scope="col" class="end">
            Count
          </th>
          <th scope="col" class="p3">
            Events
          </th>
          <th scope="col" class="p1">
            Made
          </th>
          <th scope="col" class="end">
            <span class="hide">What to do</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => (
          <tr key={groupKey(group)}>
            <th scope="row">
              <a href={groupHref(group)}>
                <UntrustedText text={urlWords(group.origin)} isBrief />
              </a>
              <span class="sub">{causeWords(group.cause)}</span>
            </th>
            <td class="end num">{atLeastWords(group.dead, group.is_more)}</td>
            <td class="p3">{typeWords(group.types)}</td>
            <td class="p1">
              <Span from={group.oldest_at} to={group.newest_at} />
            </td>
            <td class="end">
              <Button
                isChange
                label={`Replay ${group.dead} to ${group.origin}, ${causeWords(group.cause)}`}
                why={filterOf(group) === undefined ? "Load this page again: it is too old." : undefined}
                onPress={() => onReplay(group)}
              >
                Replay…
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
