import Foundation
import Waybill

import struct Waybill.Query

func tagged(_ tag: String) -> Query { Query("tag", tag) }
