export interface Question {
  question: string
  answer: string
}

/** Questions that open to their answers. */
export const Questions = ({ title, questions }: { title: string; questions: Question[] }) => (
  <section>
    <h2 className="text-3xl">{title}</h2>
    <div className="mt-6 border-line border-t">
      {questions.map(({ question, answer }) => (
        <details key={question} className="group border-line border-b">
          <summary className="flex list-none items-center justify-between gap-4 py-4 font-semibold text-lg hover:text-accent [&::-webkit-details-marker]:hidden">
            {question}
            <svg
              viewBox="0 0 16 16"
              className="size-4 shrink-0 transition-transform group-open:rotate-45"
              aria-hidden="true"
            >
              <path d="M8 2v12M2 8h12" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
            </svg>
          </summary>
          <p className="max-w-prose pb-5 text-soft">{answer}</p>
        </details>
      ))}
    </div>
  </section>
)
