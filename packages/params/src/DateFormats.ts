/** Dates and times, as the grammar and the rules of RFC 3339, section 5.6 and 5.7, have them. */

const date = /^(\d{4})-(\d\d)-(\d\d)$/
const time = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i

export const isDate = (text: string): boolean => {
  const [, year, month, day] = (date.exec(text) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined) return false
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31
  return month >= 1 && month <= 12 && day >= 1 && day <= days
}

export const isTime = (text: string): boolean => {
  const found = time.exec(text)
  if (found === null) return false
  const [hour = 0, minute = 0, second = 0] = found.slice(1, 4).map(Number)
  const [offsetHour, offsetMinute] = [Number(found[5] ?? 0), Number(found[6] ?? 0)]
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false
  const offset = (offsetHour * 60 + offsetMinute) * (found[4] === "-" ? -1 : 1)
  const minuteOfDay = (hour * 60 + minute - offset + 1440) % 1440
  // A leap second is the last one of a day in UTC.
  return second < 60 || minuteOfDay === 1439
}

export const isDateTime = (text: string): boolean => {
  const [day = "", ofDay = "", ...more] = text.split(/t/i)
  return more.length === 0 && isDate(day) && isTime(ofDay)
}
