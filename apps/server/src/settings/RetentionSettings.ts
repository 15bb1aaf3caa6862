/** How long finished things are kept. */
import { retentionDaysMax, retentionDaysMin } from "@runhook/core/sweeps/Retention"
import { setting, settingWithDefault } from "./Setting.ts"
import { days } from "./SettingText.ts"

export const retentionSettings = {
  executionsKept: setting({
    name: "RUNHOOK_RETENTION_DAYS",
    default: "unset: for ever",
    meaning:
      "Days for which finished executions are kept, with their history, results, files and callbacks. An account may have its own (`retention_days`). One with a dead callback is kept as long as that.",
    parse: days(retentionDaysMin, retentionDaysMax)
  }),
  deliveredKept: settingWithDefault({
    name: "RUNHOOK_DELIVERED_DAYS",
    default: "30",
    meaning: "Days for which a delivered callback and its attempts are kept.",
    parse: days(1, 3_650)
  }),
  deadKept: settingWithDefault({
    name: "RUNHOOK_DEAD_DAYS",
    default: "90",
    meaning: "Days for which a dead callback is kept and can be replayed.",
    parse: days(1, 3_650)
  }),
  auditKept: settingWithDefault({
    name: "RUNHOOK_AUDIT_DAYS",
    default: "400",
    meaning: "Days for which entries of the audit log are kept.",
    parse: days(1, 36_500)
  }),
  usageKept: settingWithDefault({
    name: "RUNHOOK_USAGE_DAYS",
    default: "400",
    meaning: "Days for which daily usage counts are kept. Hourly counts are kept for 32 days at most.",
    parse: days(1, 3_650)
  })
}
