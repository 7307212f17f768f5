/** The elements that a translator put in place of text nodes, which it removed. */
const replacements = new WeakMap<Node, ChildNode>()

/** Returns the node that is in the page: the node itself, or the translator's replacement. */
const inPage = (node: Node, parent: Node): Node | undefined =>
  node.parentNode === parent ? node : replacements.get(node)

/**
 * Keeps React working on a page that the browser translates. React goes on to write, move and remove its text nodes,
 * which are no longer in the page; these operations are redirected to the elements that replaced them.
 */
export function surviveTranslation() {
  const observer = new MutationObserver(records => {
    for (const { type, target, removedNodes, addedNodes } of records) {
      if (type === 'characterData') restore(target)
      else if (addedNodes[0]?.nodeName === 'FONT' && removedNodes[0] instanceof Text) {
        replacements.set(removedNodes[0], addedNodes[0] as ChildNode)
        observer.observe(removedNodes[0], { characterData: true })
      }
    }
  })
  observer.observe(document.documentElement, { childList: true, subtree: true })

  const { insertBefore, removeChild, appendChild } = Node.prototype
  Node.prototype.removeChild = function <T extends Node>(child: T): T {
    const shown = inPage(child, this)
    if (shown?.parentNode === this) removeChild.call(this, shown)
    replacements.delete(child)
    return child
  }
  Node.prototype.insertBefore = function <T extends Node>(node: T, before: Node | null): T {
    restore(node)
    const shown = before && inPage(before, this)
    insertBefore.call(this, node, shown?.parentNode === this ? shown : null)
    return node
  }
  Node.prototype.appendChild = function <T extends Node>(node: T): T {
    restore(node)
    appendChild.call(this, node)
    return node
  }
}

/** Puts a changed or moved text node back in its place. The translator then treats it as a new one. */
function restore(text: Node) {
  replacements.get(text)?.replaceWith(text)
  replacements.delete(text)
}
