/**
 * Meta's error codes (developers.facebook.com, WhatsApp "Error codes"), by their meaning for a message:
 * - `refused`: this message to this person can never be sent;
 * - `alarm`: nothing can be sent until an operator has acted; it is tried again for as long as the bus does;
 * - `later`: everything else, known or not, may pass.
 */
type Meaning = 'refused' | 'alarm' | 'later'

const REFUSED = new Set([
  33, // our number was deleted
  100, // a parameter is wrong
  131_008, // a parameter is missing
  131_009, // a parameter's value is wrong
  131_026, // the person cannot be reached
  131_047, // they have not written for 24 hours: only templates may be sent
  131_051, // WhatsApp does not know the type of message
  131_052,
  131_053, // the file was not taken
])
export const ALARM = new Set([
  0, // the token could not be checked
  10, // no permission
  190, // the token is wrong or has expired
  368, // blocked for a breach of the rules
  131_031, // the account is locked
  131_048, // too many people blocked or reported us
])

const isPermission = (code: number) => code >= 200 && code <= 299
/** The name that an alarm is counted under: Meta has a hundred codes for permissions that are missing. */
export const alarmOf = (code: number): string => (isPermission(code) ? '200-299' : String(code))

export function meaningOf(code: number): Meaning {
  if (REFUSED.has(code)) return 'refused'
  if (ALARM.has(code) || isPermission(code)) return 'alarm'
  return 'later'
}

/** Codes that a quoted message which no longer exists may bring about. */
export const isParameterProblem = (code: number): boolean => code === 100 || code === 131_009
