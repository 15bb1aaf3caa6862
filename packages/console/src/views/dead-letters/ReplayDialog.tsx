/** Confirms a replay of many dead letters: how many, to which receivers, and whether those are fixed. */
import type { AdminReplayDeliveries, Replay, WouldReplay } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { useAction, useLoad } from "../../data/Data.ts"
import { originOf } from "../../format/Ids.ts"
import { Dialog, Facts, Loaded, type Opened, Pick, prose, Span, UntrustedText } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { atLeastWords, typeWords } from "./Groups.ts"
import { guessWords } from "./Progress.ts"
import { TryOne } from "./TryOne.tsx"

/** Most receivers that are named; the rest is counted. */
const namedMax = 3

/** Loads what the dialog shows, when it opens. */
const loadPreview = async (filter: AdminReplayDeliveries, signal: AbortSignal) => {
  const { deliveries } = account.value
  const { cause } = filter
  const [all, last] = await Promise.all([
    deliveries.wouldReplay(filter, { signal }),
    deliveries.wouldReplay({ ...filter, last_only: true }, { signal })
  ])
  // Each receiver may fail for a reason of its own.
  const pages = await Promise.all(
    all.origins.slice(0, namedMax).map(({ origin: url_origin }) => {
      const where = { status: "dead", url_origin, ...(cause !== undefined && { cause }), limit: 1 } as const
      return deliveries.list(where, { signal }).page()
    })
  )
  return { all, last, dead: pages.flatMap(({ data }) => data) }
}

interface ReplayDialogProps extends Opened<Replay> {
  readonly filter: AdminReplayDeliveries
}

export const ReplayDialog = ({ filter, onClose, onDone }: ReplayDialogProps) => {
  const [lastOnly, setLastOnly] = useState(false)
  const preview = useLoad(JSON.stringify(filter), (signal) => loadPreview(filter, signal))
  const replay = useAction(
    () => account.value.deliveries.replayAll({ ...filter, last_only: lastOnly }),
    onDone
  )
  const { all, last } = preview.data ?? {}
  const chosen = lastOnly ? last : all
  return (
    <Dialog
      title={
        all === undefined
          ? "Replay dead letters?"
          : prose`Replay ${<span class="num">{countedWords(all)}</span>} dead letters?`
      }
      onClose={onClose}
      confirm={
        chosen && {
          word: `Replay ${countedWords(chosen)}`,
          action: replay,
          cancel: "Not now",
          why: chosen.would_replay === 0 && !chosen.is_more ? "None of them is dead any more." : undefined
        }
      }
    >
      <Loaded of={preview} what="replay" lines={4}>
        {(shown) => (
          <>
            <Facts
              of={{
                To: <Origins of={shown.all} />,
                Made: <Span from={shown.all.oldest_at} to={shown.all.newest_at} />,
                "Of them": typeWords((chosen ?? shown.all).types),
                Takes: guessWords((chosen ?? shown.all).would_replay)
              }}
            />
            {shown.dead.map((newest) => (
              <TryOne key={originOf(newest.callback_url)} newest={newest} onTried={preview.reload} />
            ))}
            {countedWords(shown.last) === countedWords(shown.all) ? null : (
              <Pick isPicked={lastOnly} onPick={setLastOnly}>
                <strong>Only the last event of each execution</strong>
                <br />
                <span class="quiet">
                  {countedWords(shown.last)} instead of {countedWords(shown.all)}: for receivers that care
                  about the outcome only.
                </span>
              </Pick>
            )}
            <p class="small quiet">
              Same event ids, same bodies, new signatures. You can stop at any time; what was sent stays sent.
            </p>
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

const countedWords = ({ is_more, would_replay }: WouldReplay): string => atLeastWords(would_replay, is_more)

const Origins = ({ of: { origins } }: { readonly of: WouldReplay }) => (
  <>
    {origins.slice(0, namedMax).map(({ origin }, at) => (
      <>
        {at === 0 ? null : ", "}
        <UntrustedText key={origin} text={origin} isBrief />
      </>
    ))}
    {origins.length > namedMax ? ` and ${origins.length - namedMax} more` : null}
    {origins.length === 0 ? "Nobody" : null}
  </>
)
