/** Makes the browser save a file. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  // By then the browser has read the address.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
