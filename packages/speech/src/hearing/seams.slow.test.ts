import { LONGEST, withSeams } from '../testing/seams.ts'

withSeams(({ hear }) => {
  // Every third length: how pieces are cut is tested for all lengths elsewhere, without a model.
  test.each(LONGEST.slice(1, -1).filter((_, index) => index % 3 === 1))(
    'when a model hears pieces of at most %p s, then no word is lost or doubled',
    hear,
  )
})
