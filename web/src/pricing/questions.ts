import type { Question } from '../ui/questions.tsx'

export const QUESTIONS: Question[] = [
  {
    question: 'What counts as a minute?',
    answer:
      'The length of the audio that was transcribed, to the second. A note of 40 seconds takes 40 seconds off your minutes. Notes that fail, or in which nobody speaks, cost nothing.',
  },
  {
    question: 'What happens when my minutes run out?',
    answer:
      'If a note is longer than the minutes you have left, we don’t transcribe it and tell you so in the chat. You’re not charged. On the free plan your minutes reset every month; with Pro you get 1000 right away.',
  },
  {
    question: 'Do unused minutes carry over?',
    answer: 'No. Each month starts with the full amount: 30 minutes on the free plan, 1000 on Pro.',
  },
  {
    question: 'How do I pay?',
    answer:
      'By card, on our payment provider’s page. We never see or store your card number. The plan renews each month until you cancel.',
  },
  {
    question: 'How do I cancel?',
    answer:
      'With one button on your dashboard. You keep Pro until the end of the month you’ve paid for, then you move to the free plan. You can change your mind until then.',
  },
  {
    question: 'Can I get my money back?',
    answer:
      'Yes, within 30 days of the payment. Write to support from the contact page; you don’t need to give a reason.',
  },
]
