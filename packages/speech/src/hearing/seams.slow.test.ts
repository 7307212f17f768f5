import { LONGEST, withSeams } from '../testing/seams.ts'

withSeams(({ hear }) => {
  test.each(LONGEST.slice(1, -1))(
    'when a model hears pieces of at most %p s, then no word is lost or doubled',
    hear,
  )
})
