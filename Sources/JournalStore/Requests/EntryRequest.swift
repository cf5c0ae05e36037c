import Journal
import SectionedResults

/// A request for a list of entries.
package typealias EntryRequest = FetchRequest<EntryRow>
