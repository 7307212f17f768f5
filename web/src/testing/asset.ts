/** What a style sheet or a picture is to a test. */
export default ''
