/* Files that policies read with std.fileread() and std.blobread(). Private to this room. */
#ifndef VERNIS_VMOD_STD_SYSTEM_H
#define VERNIS_VMOD_STD_SYSTEM_H

void std_forget_files(void); /* drops their texts, to which loaded policies may point */

#endif
