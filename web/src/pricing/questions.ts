export const QUESTIONS = {
  'What counts as a minute?':
    'The length of the audio that was transcribed, to the second. A note of 40 seconds takes 40 seconds off your minutes. Notes that fail, or in which nobody speaks, cost nothing.',
  'What happens when my minutes run out?':
    'If a note is longer than the minutes you have left, we don’t transcribe it and tell you so in the chat. You’re not charged. On the free plan your minutes reset every month; with Pro you get 1000 right away.',
  'Do unused minutes carry over?':
    'No. Each month starts with the full amount: 30 minutes on the free plan, 1000 on Pro.',
  'How do I pay?':
    'By card, on our payment provider’s page. We never see or store your card number. The plan renews each month until you cancel.',
  'How do I cancel?':
    'With one button on your dashboard. You keep Pro until the end of the month you’ve paid for, then you move to the free plan. You can change your mind until then.',
  'Can I get my money back?':
    'Yes, within 30 days of the payment. Write to support from the contact page; you don’t need to give a reason.',
}
