//! SQLite's methods for a file, one of them replaced.

use std::ffi::{c_int, c_void};
use std::ptr;

use rusqlite::{Connection, Result, ffi};

/// A map is made anew when the file has become longer by this share of what is mapped: what is new is read by system calls until
/// then. It is a thirty-second, so a file that grows from nothing to gigabytes is mapped some hundreds of times.
const GROWTH: i64 = 32;

/// By less than so many bytes nothing is made anew.
const LEAST_GROWTH: i64 = 64 << 10;

/// The methods of one open file, which it uses for as long as this lives.
#[derive(Debug)]
pub(crate) struct Methods(*mut Table);

// SAFETY: the table is only reached through the connection of its file, which is itself used by one thread at a time.
unsafe impl Send for Methods {}

/// What the file points to: SQLite reads the methods, which stand first, and `unfetch` below the rest.
#[repr(C)]
#[derive(Debug)]
struct Table {
    methods: ffi::sqlite3_io_methods,
    original: *const ffi::sqlite3_io_methods,
    /// Up to where the file is mapped, or shall be at the next access.
    mapped: i64,
    /// Where a map ends at most.
    most: i64,
}

impl Methods {
    /// Puts a copy of its methods into the main database's file of `connection`, which has a map of at most `most` bytes.
    ///
    /// The connection must be dropped before what is returned.
    pub(crate) fn replace_in(connection: &Connection, most: i64) -> Result<Self> {
        let mut file: *mut ffi::sqlite3_file = ptr::null_mut();
        // SAFETY: the handle is that of an open connection, the name ends with NUL, and this operation writes one pointer.
        let code = unsafe {
            let place = (&raw mut file).cast::<c_void>();
            ffi::sqlite3_file_control(connection.handle(), c"main".as_ptr(), ffi::SQLITE_FCNTL_FILE_POINTER, place)
        };
        if code != ffi::SQLITE_OK || file.is_null() {
            return Err(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None));
        }
        // SAFETY: SQLite says that this is the connection's open file, so its methods are there (null only for a database in memory,
        // which has nothing to map); they are static, so the copy may point to them for ever.
        unsafe {
            let Some(original) = (*file).pMethods.as_ref().filter(|methods| methods.iVersion >= 3) else {
                return Ok(Self(ptr::null_mut()));
            };
            let mut methods = *original;
            methods.xUnfetch = Some(unfetch);
            let table = Box::into_raw(Box::new(Table { methods, original, mapped: 0, most }));
            (*table).mapped = (*table).bytes_to_map(file).unwrap_or(0);
            (*file).pMethods = table.cast();
            Ok(Self(table))
        }
    }
}

impl Drop for Methods {
    fn drop(&mut self) {
        if !self.0.is_null() {
            // SAFETY: it came out of a box, and the file that pointed to it was closed with its connection.
            drop(unsafe { Box::from_raw(self.0) });
        }
    }
}

impl Table {
    /// How much of the file there is to map; `None` when SQLite cannot say.
    ///
    /// # Safety
    /// `file` must be the open file whose methods these are.
    unsafe fn bytes_to_map(&self, file: *mut ffi::sqlite3_file) -> Option<i64> {
        let mut bytes = 0;
        let size = self.methods.xFileSize?;
        // SAFETY: the caller's.
        let code = unsafe { size(file, &raw mut bytes) };
        (code == ffi::SQLITE_OK).then(|| bytes.min(self.most))
    }

    fn is_outgrown(&self, bytes: i64) -> bool {
        bytes < self.mapped || bytes - self.mapped >= (self.mapped / GROWTH).max(LEAST_GROWTH)
    }
}

/// In place of SQLite's `xUnfetch`, which gives back a page, or for a null pointer unmaps the file.
unsafe extern "C" fn unfetch(file: *mut ffi::sqlite3_file, offset: ffi::sqlite3_int64, page: *mut c_void) -> c_int {
    // SAFETY: only files that point to a table have this method, and SQLite calls it with such a file and with nobody else using it.
    unsafe {
        let table = &mut *(*file).pMethods.cast_mut().cast::<Table>();
        if page.is_null() {
            match table.bytes_to_map(file) {
                Some(bytes) if !table.is_outgrown(bytes) => return ffi::SQLITE_OK,
                bytes => table.mapped = bytes.unwrap_or(0),
            }
        }
        match (*table.original).xUnfetch {
            Some(unfetch) => unfetch(file, offset, page),
            None => ffi::SQLITE_OK,
        }
    }
}
