import Markdown
import Testing

@testable import JournalFormats

struct HTMLTextTests {
  @Test(
    "HTML becomes the Markdown of the same text",
    arguments: [
      ("<p>Walked &amp; talked.</p>", "Walked & talked."),
      ("<h1>One</h1><p>a</p><h3>T <b>wo</b></h3>b", "# One\n\na\n\n### T wo\n\nb"),
      (
        "<p>a <b>bold</b>, <i>it</i> and <s>gone</s>.<br>Next</p>",
        "a **bold**, *it* and ~~gone~~.\nNext"
      ),
      ("<b> spaced </b>out", "**spaced** out"), ("un<b>believ</b>able", "unbelievable"),
      ("<b>bold <i>both</i></b> <b></b>", "**bold *both***"),
      ("<span style='font-weight: 700'>a</span>", "**a**"),
      ("<b style='font-weight:normal'><p>doc</p></b>", "doc"),
      ("<p>a</p><p>b</p>", "a\n\nb"), ("<div>a</div><div>b</div>", "a\nb"),
      ("<div>a</div><div><br></div><div>b</div>", "a\n\nb"),
      ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>d", "- a\n  - b\n- c\n\nd"),
      ("<ul><li>a</li><ul><li>b</li></ul></ul>", "- a\n  - b"),
      ("<ol start=3><li>a</li><li><p>b</p><p>c</p></li></ol>", "3. a\n4. b\n\n   c"),
      (
        "<ul><li><input type=checkbox checked> a</li><li><input type=checkbox> b</li></ul>",
        "- [x] a\n- [ ] b"
      ),
      (
        "<div>To do</div><div><en-todo checked=\"true\"/>bread</div><div><en-todo/>milk</div><div>end</div>",
        "To do\n- [x] bread\n- [ ] milk\n\nend"
      ),
      (
        "<ul style='--en-todo:true'><li style='--en-checked:true'><div>a</div></li><li>b</li></ul>",
        "- [x] a\n- [ ] b"
      ),
      (
        "<blockquote><p>a</p><p>b</p></blockquote><blockquote>c</blockquote>",
        "> a\n>\n> b\n\n> c"
      ),
      (
        "<p>See <a href='https://x.org/a_b'>the page</a>!</p>",
        "See [the page](https://x.org/a_b)!"
      ),
      ("<a href='https://x.org/a_b'>https://x.org/a_b</a>", "https://x.org/a_b"),
      ("<a href='mailto:a@b.org'>a@b.org</a>", "<a@b.org>"), ("<a href='#top'>top</a>", "top"),
      ("<a href='javascript:x()'>x</a>", "x"), ("<a href='a b(c'>x</a>", "[x](<a b(c>)"),
      ("Oh!<a href='u:v'>l</a>", "Oh\\![l](u:v)"),
      ("<img src='a.jpg' alt='The [sea]'> b", "![The \\[sea\\]](a.jpg) b"),
      ("<a href='big.jpg'><img src='a.jpg'></a>", "![](a.jpg)"),
      ("<img src='data:image/png;base64,AAAA' alt=x>", "x"),
      ("<video src='v.mp4'>no video</video>", "[video](v.mp4)"),
      ("<p>x</p><hr><p>y</p>", "x\n\n---\n\ny"),
      (
        "<pre><code class='language-swift'>let a = *b*\n\n  c\n</code></pre>",
        "```swift\nlet a = *b*\n\n  c\n```"
      ),
      ("<code>a`b</code> <code>c</code><code>d</code>", "``a`b`` `cd`"),
      (
        "<table><tr><th>a</th><th>b|</th></tr><tr><td>1</td><td><b>2</b><br>x</td></tr></table>",
        "| a | b\\| |\n| --- | --- |\n| 1 | **2** x |"
      ),
      ("<table><tr><td><p>a</p><ul><li>b</li></ul></td></tr></table>", "a\n\n- b"),
      ("<script>x</script><style>y</style>a<!-- c -->", "a"),
      ("<html><head><title>t</title></head><body>b</body></html>", "b"),
      ("&lt;b&gt; &euro; &#8364; &copy; &unknown; a &lt; b", "\\<b> € € © &unknown; a < b"),
      (
        "*a* _b_ `c` [d](e) snake_case 2*3*4 2 * 3",
        "\\*a\\* \\_b\\_ \\`c\\` [d\\](e) snake_case 2*3*4 2 * 3"
      ),
      (
        "<p># a</p><p>- b</p><p>1. c</p><p>&gt; d</p><p>---</p>",
        "\\# a\n\n\\- b\n\n1\\. c\n\n\\> d\n\n\\---"
      ),
      ("#tag @anna https://x.org/__a__ a\\*b", "#tag @anna https://x.org/__a\\_\\_ a\\\\\\*b"),
      ("", ""), ("   ", ""), ("<p> </p>", ""), ("plain\ntext", "plain text"),
    ])
  func converts(_ html: String, _ markdown: String) throws {
    #expect(try HTMLText.markdown(html) == markdown)
  }
}
