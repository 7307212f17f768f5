import type { Question } from '../../ui/questions.tsx'

export const questions: Question[] = [
  {
    question: 'What counts as a minute?',
    answer:
      'The length of the audio that was transcribed, to the second. A note of 40 seconds takes 40 seconds off your minutes. Notes that fail, or in which nobody speaks, take nothing.',
  },
  {
    question: 'What happens when my minutes run out?',
    answer:
      'A note that is longer than what is left is not transcribed, and the chat tells you so. Nothing is charged. On the free plan, minutes come back every month; with Pro you get 1000 at once.',
  },
  {
    question: 'Do unused minutes carry over?',
    answer: 'No. Each month begins with the full number: 30 on the free plan, 1000 on Pro.',
  },
  {
    question: 'How do I pay?',
    answer:
      'By card, on the page of our payment provider. We never see or keep your card number. The plan renews each month until you cancel.',
  },
  {
    question: 'How do I cancel?',
    answer:
      'With one button on your dashboard. You keep Pro until the end of the month you have paid for, then the account goes back to the free plan. Until then you can change your mind.',
  },
  {
    question: 'Can I have my money back?',
    answer:
      'Yes, within 30 days of the payment. Write to support from the contact page; you need not give a reason.',
  },
]
