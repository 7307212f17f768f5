export const QUESTIONS = {
  'My note wasn’t transcribed. What should I check?':
    'Look at it in your history: a note that failed says why. Most often the file is larger than 16 MB, has no sound, or is longer than the minutes you have left. If the note is not there at all, it came from a number that is not on your account.',
  'I have a new WhatsApp number. What should I do?':
    'Change it on your profile page, then send us one message with the link code that your dashboard shows. From then on, notes from the new number are yours.',
  'The transcript is in the wrong language.':
    'The language is detected automatically. If you mostly receive notes in one language, choose it on your profile page. It helps with short or noisy notes.',
  'Who can read my transcripts?':
    'You, signed in to your account. Audio files are deleted after 30 days unless you specify otherwise, and you can delete any transcript with its audio from your history at any time.',
  'I was charged, but I don’t see the Pro plan.':
    'Open your subscription page; it can take a minute. If it still says Free, write to us with the subject Billing and the date of the payment, and we’ll fix it or refund you.',
}
