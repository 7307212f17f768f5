/** Whether a key belongs to an input method. Safari sends the Enter that ends a composition after its end, as 229. */
export const isComposing = (event: KeyboardEvent): boolean => event.isComposing || event.keyCode === 229
