/** Confirms a replay of many dead letters: how many, to which receivers, and whether those are fixed. */
import type { AdminReplayDeliveries, Replay, WouldReplay } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { useAction } from "../../data/useAction.ts"
import { originOf } from "../../format/Ids.ts"
import { useLoad } from "../../data/useLoad.ts"
import { Skeleton } from "../../parts/Skeleton.tsx"
import { Button } from "../../parts/Button.tsx"
import { Dialog } from "../../parts/Dialog.tsx"
import { Facts } from "../../parts/Facts.tsx"
import { Pick } from "../../parts/Pick.tsx"
import { Outcome, ProblemNote } from "../../parts/problem/ProblemNote.tsx"
import { UntrustedText } from "../../parts/UntrustedText.tsx"
import { account } from "../../session/Session.ts"
import { atLeastWords, typeWords } from "./Groups.ts"
import { guessWords } from "./Progress.ts"
import { Span } from "./Span.tsx"
import { TryOne } from "./TryOne.tsx"

export interface ReplayDialogProps {
  /** What is to be replayed; undefined while the dialog is closed. */
  readonly filter: AdminReplayDeliveries | undefined
  readonly onClose: () => void
  readonly onBegun: (job: Replay) => void
}

export const ReplayDialog = ({ filter, onBegun, onClose }: ReplayDialogProps) => {
  const [shown, setShown] = useState<WouldReplay>()
  const title =
    shown === undefined ? (
      "Replay dead letters?"
    ) : (
      <>
        Replay <span class="num">{atLeastWords(shown.would_replay, shown.is_more)}</span> dead letters?
      </>
    )
  return filter === undefined ? null : (
    <Dialog
      title={title}
      onClose={() => {
        setShown(undefined)
        onClose()
      }}
    >
      <ReplayQuestion filter={filter} onShown={setShown} onBegun={onBegun} onClose={onClose} />
    </Dialog>
  )
}

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

interface ReplayQuestionProps extends ReplayDialogProps {
  readonly filter: AdminReplayDeliveries
  readonly onShown: (would: WouldReplay) => void
}

const ReplayQuestion = ({ filter, onBegun, onClose, onShown }: ReplayQuestionProps) => {
  const [lastOnly, setLastOnly] = useState(false)
  const { data, error, reload } = useLoad(JSON.stringify(filter), async (signal) => {
    const looked = await loadPreview(filter, signal)
    onShown(looked.all)
    return looked
  })
  const replay = useAction(
    () => account.value.deliveries.replayAll({ ...filter, last_only: lastOnly }),
    onBegun
  )
  if (error !== undefined && data === undefined)
    return <ProblemNote error={error} what="replay" onRetry={reload} />
  if (data === undefined) return <Skeleton lines={4} />
  const { all, dead, last } = data
  const chosen = lastOnly ? last : all
  const count = atLeastWords(chosen.would_replay, chosen.is_more)
  return (
    <>
      <Facts
        of={{
          To: <Origins of={all} />,
          Made: <Span from={all.oldest_at} to={all.newest_at} />,
          "Of them": typeWords(chosen.types),
          Takes: guessWords(chosen.would_replay)
        }}
      />
      {dead.map((newest) => (
        <TryOne key={originOf(newest.callback_url)} newest={newest} onTried={reload} />
      ))}
      {last.would_replay === all.would_replay && last.is_more === all.is_more ? null : (
        <Pick isPicked={lastOnly} onPick={setLastOnly}>
          <strong>Only the last event of each execution</strong>
          <br />
          <span class="quiet">
            {atLeastWords(last.would_replay, last.is_more)} instead of{" "}
            {atLeastWords(all.would_replay, all.is_more)}: for receivers that care about the outcome only.
          </span>
        </Pick>
      )}
      <p class="small quiet">
        Same event ids, same bodies, new signatures. You can stop at any time; what was sent stays sent.
      </p>
      {replay.problem === undefined ? null : <Outcome problem={replay.problem} />}
      <p class="acts">
        <Button onPress={onClose}>Not now</Button>
        <Button
          kind="first"
          isChange
          isRunning={replay.isRunning}
          why={chosen.would_replay === 0 && !chosen.is_more ? "None of them is dead any more." : undefined}
          onPress={replay.run}
        >
          Replay {count}
        </Button>
      </p>
    </>
  )
}

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
