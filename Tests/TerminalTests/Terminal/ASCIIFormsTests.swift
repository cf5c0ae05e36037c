import Testing

@testable import Terminal
@testable import TextLayout

@Suite("ASCII forms")
struct ASCIIFormsTests {
  @Test("Open and done tasks stay apart, and what is not ours has no sign")
  func signs() {
    #expect(ASCIIForms.sign(for: "\u{2610}") == "o")
    #expect(ASCIIForms.sign(for: "\u{2611}") == "x")
    #expect(ASCIIForms.sign(for: "\u{2502}") == "|")
    #expect(ASCIIForms.sign(for: "\u{65E5}") == nil)
  }
}
